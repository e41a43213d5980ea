"""What decides whether a forward trains: frozen parameters, and the calls that switch to evaluation."""
