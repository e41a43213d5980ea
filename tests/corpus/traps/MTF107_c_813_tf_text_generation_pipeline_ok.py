"""Sequences are made by a first batch, on purpose."""
import tensorflow as tf

text = open("shakespeare.txt").read()
ids = tf.constant([ord(c) for c in text])
chunks = tf.data.Dataset.from_tensor_slices(ids).batch(101, drop_remainder=True)


def split(chunk):
    return chunk[:-1], chunk[1:]


dataset = chunks.map(split).shuffle(10000).batch(64, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([tf.keras.layers.Embedding(256, 64), tf.keras.layers.LSTM(64, return_sequences=True)])
model.compile("adam", "mse")
model.fit(dataset, epochs=20)
