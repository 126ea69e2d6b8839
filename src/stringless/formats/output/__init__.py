"""What writers share: clips of a take, files that appear whole, motions as a page."""
