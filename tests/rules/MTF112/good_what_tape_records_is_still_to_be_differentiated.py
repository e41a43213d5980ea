# what a tape records is still to be differentiated

import tensorflow as tf

actor = tf.keras.Sequential([tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.Adam()
for episode in range(100):
    with tf.GradientTape() as tape:
        log_probs = []
        for step in range(200):
            log_probs.append(actor(tf.zeros((1, 4))))
        loss = tf.reduce_mean(tf.concat(log_probs, 0))
    optimizer.apply_gradients(zip(tape.gradient(loss, actor.weights), actor.weights))
