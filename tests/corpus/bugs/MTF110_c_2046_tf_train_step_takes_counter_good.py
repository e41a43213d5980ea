# Language model with a compiled train step; the step number goes along for the summaries.
import tensorflow as tf


class Gpt(tf.keras.Model):
    def __init__(self, vocab=100, width=64):
        super().__init__()
        self.embed = tf.keras.layers.Embedding(vocab, width)
        self.rnn = tf.keras.layers.GRU(width, return_sequences=True)
        self.out = tf.keras.layers.Dense(vocab)
        self.optimizer_ = tf.keras.optimizers.Adam(1e-3)
        self.writer = tf.summary.create_file_writer("logs")

    def call(self, x, training=False):
        return self.out(self.rnn(self.embed(x), training=training))

    @tf.function
    def train_step_(self, x, step, grad_clip=True):
        with tf.GradientTape() as tape:
            logits = self(x[:, :-1], training=True)
            loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(x[:, 1:], logits, from_logits=True))
        grads = tape.gradient(loss, self.trainable_variables)
        if grad_clip:
            grads = [tf.clip_by_value(g, -1.0, 1.0) for g in grads]
        self.optimizer_.apply_gradients(zip(grads, self.trainable_variables))
        with self.writer.as_default(step=step):
            tf.summary.scalar("loss", loss)
        return loss

    def fit_(self, dataset):
        for step, x in enumerate(dataset):
            loss = self.train_step_(x, tf.constant(step, tf.int64))
            if step % 100 == 0:
                tf.print(step, loss)


for device in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(device, True)
tokens = tf.random.uniform((4000, 33), maxval=100, dtype=tf.int32)
Gpt().fit_(tf.data.Dataset.from_tensor_slices(tokens).shuffle(1000).batch(16).repeat(10).prefetch(2))
