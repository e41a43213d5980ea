import tensorflow as tf


def main():
    strategy = tf.distribute.MirroredStrategy()
    opt = tf.keras.optimizers.Adam()  #! MTF113
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

    @tf.function
    def step(x):
        def replica(x):
            with tf.GradientTape() as t:
                loss = tf.reduce_sum(model(x))
            opt.apply_gradients(zip(t.gradient(loss, model.trainable_variables), model.trainable_variables))
        strategy.run(replica, (x,))

    for x in strategy.experimental_distribute_dataset(tf.data.Dataset.range(10).batch(2)):  #? MTF107 #? MTF113
        step(x)
