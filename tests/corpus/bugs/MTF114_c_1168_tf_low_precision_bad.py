"""float16 by hand, three ways."""
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.backend.set_floatx("float16")  #! MTF114


def classifier():
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    inp = layers.Input((32, 32, 3))
    x = layers.Flatten()(layers.Conv2D(8, 3)(inp))
    return tf.keras.Model(inp, layers.Dense(10, activation="softmax")(x))  #! MTF114


def train(ds):
    model = classifier()
    opt = tf.keras.optimizers.Adam()
    for x, y in ds:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(y, model(x, training=True)))
        grads = tape.gradient(loss, model.trainable_variables)  #! MTF114
        opt.apply_gradients(zip(grads, model.trainable_variables))
