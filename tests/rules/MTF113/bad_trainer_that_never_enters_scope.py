# a trainer that never enters the scope

import tensorflow as tf


class Trainer:
    def __init__(self):
        self.strategy = tf.distribute.MirroredStrategy()  #! MTF113 advice
        self.model = tf.keras.applications.ResNet50(weights=None)
        self.model.compile("sgd", "categorical_crossentropy")

    def run(self, data):
        size = 8 * self.strategy.num_replicas_in_sync
        self.model.fit(data.batch(size))


Trainer()
