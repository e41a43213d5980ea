"""TensorFlow and Keras: bindings, calls in order, what they mean."""
