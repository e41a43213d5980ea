"""Eager loops as in a notebook: style transfer, gradient collection, models kept in results."""
import numpy as np
import tensorflow as tf

extractor = tf.keras.applications.VGG19(include_top=False)
image = tf.Variable(tf.random.uniform([1, 224, 224, 3]))
opt = tf.keras.optimizers.Adam(0.02)


@tf.function
def train_step(img, weight):
    with tf.GradientTape() as tape:
        loss = weight * tf.reduce_sum(extractor(img) ** 2)
    g = tape.gradient(loss, img)
    opt.apply_gradients([(g, img)])
    return loss


for i in range(1000):
    train_step(image, 1.0 / (i + 1))  #! MTF110

embeddings = []
for batch in tf.data.Dataset.from_tensor_slices(np.zeros((8, 4, 224, 224, 3), "float32")).prefetch(1):
    embeddings.append(extractor(batch, training=False))  #! MTF112

for units in np.arange(8, 256, 8):
    m = tf.keras.Sequential([tf.keras.layers.Dense(int(units)), tf.keras.layers.Dense(1)])  #! MTF108
    m.compile("adam", "mse")
    m.fit(np.zeros((9, 2)), np.zeros(9), verbose=0)
