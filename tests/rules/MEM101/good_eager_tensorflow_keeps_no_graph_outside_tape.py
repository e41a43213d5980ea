# eager TensorFlow keeps no graph outside a tape

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
total = 0.0
for step in range(10):
    x, y = tf.random.normal((8, 4)), tf.random.normal((8, 1))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    total += loss
print(total)
