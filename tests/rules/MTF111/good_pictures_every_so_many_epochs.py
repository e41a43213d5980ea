# pictures are made every now and then, in the loop that trains

import numpy as np
import tensorflow as tf


class GAN:
    def __init__(self):
        self.generator = tf.keras.models.load_model("g.h5")
        self.critic = tf.keras.models.load_model("c.h5")

    def train(self, X, epochs, every=None):
        for epoch in range(epochs):
            batch = X[np.random.randint(0, X.shape[0], 64)]
            self.critic.train_on_batch(batch, np.ones(64))
            if every is not None:
                if epoch % every == 0:
                    noise = np.random.normal(0, 1, (25, 100))
                    print(self.generator.predict(noise).mean())
