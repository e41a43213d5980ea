# the step counter as an argument

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def train_step(x, y, step):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    tf.summary.scalar("loss", loss, step=step)
    return loss


for step in range(1000):
    x = tf.random.normal((32, 4))
    loss = train_step(x, x[:, :1], step)  #! MTF110 warning
