# the tape is deleted, or local to a step function

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])


def step(x):
    with tf.GradientTape(persistent=True) as recorder:
        y = model(x)
        z = y * y
    return recorder.gradient(y, model.weights), recorder.gradient(z, model.weights)


for _ in range(100):
    step(tf.zeros((1, 2)))
    with tf.GradientTape(persistent=True) as tape:
        y = model(tf.zeros((1, 2)))
    a = tape.gradient(y, model.weights)
    b = tape.gradient(y, model.weights)
    del tape
