"""Custom loop: the optimizer and the model are outside of the scope."""
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
model = tf.keras.Sequential([tf.keras.layers.Dense(10)])  #! MTF113
optimizer = tf.keras.optimizers.Adam()  #? MTF113
GLOBAL = 32 * strategy.num_replicas_in_sync
ds = strategy.experimental_distribute_dataset(tf.data.Dataset.range(1000).shuffle(1000).batch(GLOBAL).prefetch(1))


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.nn.compute_average_loss(model(tf.cast(x, tf.float32)[:, None])[:, 0] ** 2, global_batch_size=GLOBAL)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


@tf.function
def distributed(x):
    return strategy.reduce(tf.distribute.ReduceOp.SUM, strategy.run(step, args=(x,)), axis=None)


for batch in ds:
    print(distributed(batch).numpy())
