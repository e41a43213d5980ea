# another tape, whose name begins alike, is deleted

import tensorflow as tf

critic = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
actor = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(4)])
optimizer = tf.keras.optimizers.Adam(3e-4)

for states, targets in tf.data.Dataset.from_tensor_slices((tf.ones((6400, 8)), tf.ones((6400, 1)))).batch(64):
    with tf.GradientTape(persistent=True) as tape:  #! MTF112
        value = tf.reduce_mean((critic(states) - targets) ** 2)
        bonus = tf.reduce_mean(value * value)
    optimizer.apply_gradients(zip(tape.gradient(value, critic.weights), critic.weights))
    slopes = tape.gradient(bonus, critic.weights)
    with tf.GradientTape(persistent=True) as tape2:
        score = tf.reduce_mean(actor(states))
    steps = tape2.gradient(score, actor.weights)
    del tape2
