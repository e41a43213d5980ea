import numpy as np
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam()
loss_fn = keras.losses.MeanSquaredError()
train_ds = tf.data.Dataset.from_tensor_slices((np.random.rand(1000, 8), np.random.rand(1000, 1))).batch(32)
total_loss = 0.0
losses = []
for epoch in range(5):
    for x, y in train_ds:
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        total_loss += loss
        losses.append(loss)
    val = model(np.random.rand(10, 8), training=False)
    print(epoch, float(total_loss))
