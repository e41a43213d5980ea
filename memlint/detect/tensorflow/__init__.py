"""MTFxxx: TensorFlow and Keras."""
