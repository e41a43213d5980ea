"""How long what is stored stays: containers with a bound, containers that nobody else sees."""
