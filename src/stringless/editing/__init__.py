"""The motion editor: drag the motion, not the parameters."""
