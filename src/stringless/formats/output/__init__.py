"""What writers share: clips of a take, files that appear whole, triangles of shapes."""
