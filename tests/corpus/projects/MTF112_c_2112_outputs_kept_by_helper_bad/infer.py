import tensorflow as tf


@tf.function
def predict_step(model, x):
    return model(x, training=False)
