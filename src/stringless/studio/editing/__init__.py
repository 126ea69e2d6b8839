"""The motion editor in the studio: hands that drag a motion, the search for what they want, and the commands of pages."""
