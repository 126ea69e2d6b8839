"""The stiff engine: implicit steps of articulated bodies in linear time (Hernández, Garre, Casillas & Otaduy 2011)."""
