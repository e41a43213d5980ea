"""What the TensorFlow and Keras rules ask of a file: API names, sources of values, loops."""
