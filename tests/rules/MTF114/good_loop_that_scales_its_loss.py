# a loop that scales its loss

import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
net = tf.keras.Sequential([tf.keras.layers.Dense(1, dtype="float32")])
optimizer = tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.Adam())
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(net(tf.zeros((4, 2))))
    scaled = optimizer.scale_loss(loss)
optimizer.apply(tape.gradient(scaled, net.trainable_variables), net.trainable_variables)
