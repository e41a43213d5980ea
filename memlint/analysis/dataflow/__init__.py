"""Control flow, reaching definitions, constants, liveness, the order and the frequency of execution."""
