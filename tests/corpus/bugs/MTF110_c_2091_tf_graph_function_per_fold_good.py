# A compiled train step is defined again for each epoch.
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


def make_model():
    return tf.keras.Sequential([tf.keras.Input((20,)), tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)])


def train(dataset, epochs=50):
    model, optimizer = make_model(), tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    for epoch in range(epochs):
        mean = tf.keras.metrics.Mean()
        for x, y in dataset:
            mean.update_state(step(x, y))
        print(epoch, float(mean.result()))


x = tf.random.normal((2000, 20))
train(tf.data.Dataset.from_tensor_slices((x, x[:, :1])).shuffle(2000).batch(50).prefetch(tf.data.AUTOTUNE))
