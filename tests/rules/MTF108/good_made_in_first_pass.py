# made in the first pass only

import tensorflow as tf


class Scorer:
    model = None

    def score(self, x):
        if self.model is None:
            self.model = tf.keras.applications.MobileNetV2()
        return self.model.predict(x)


scorer = Scorer()
for _ in range(100):
    scorer.score(tf.zeros((64, 224, 224, 3)))
