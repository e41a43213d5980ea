# another library's clear_session

import tensorflow as tf
from web import sessions

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
for user in range(10):
    model.predict(tf.zeros((1, 2)))
    sessions.clear_session(user)
