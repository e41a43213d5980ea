# a persistent tape in the training loop

import tensorflow as tf

gen = tf.keras.Sequential([tf.keras.layers.Dense(4)])
disc = tf.keras.Sequential([tf.keras.layers.Dense(1)])
opt_g, opt_d = tf.keras.optimizers.Adam(), tf.keras.optimizers.Adam()
for step in range(1000):
    noise = tf.random.normal((16, 2))
    with tf.GradientTape(persistent=True) as tape:  #! MTF112 warning
        fake = disc(gen(noise))
        loss_g, loss_d = tf.reduce_mean(-fake), tf.reduce_mean(fake)
    grads_g = tape.gradient(loss_g, gen.trainable_variables)
    grads_d = tape.gradient(loss_d, disc.trainable_variables)
    opt_g.apply_gradients(zip(grads_g, gen.trainable_variables))
    opt_d.apply_gradients(zip(grads_d, disc.trainable_variables))
