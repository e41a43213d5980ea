"""The abstract interpreter: runs a file over abstract values and writes down what happens."""
