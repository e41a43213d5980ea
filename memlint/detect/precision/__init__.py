"""MEM3xx and apex: half and double precision, autocast, gradient scaling."""
