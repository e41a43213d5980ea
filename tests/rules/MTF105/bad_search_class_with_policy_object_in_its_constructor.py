# a search class with a policy object in its constructor

import tensorflow as tf


class Search:
    def __init__(self, trials):
        self.trials = trials
        policy = tf.keras.mixed_precision.Policy("mixed_bfloat16")
        tf.keras.mixed_precision.set_global_policy(policy)
        self.run()

    def fresh(self):
        tf.keras.backend.clear_session()  #! MTF105 warning
        return tf.keras.applications.EfficientNetB0(weights=None)

    def run(self):
        for trial in range(self.trials):
            model = self.fresh()
            model.compile("sgd", "categorical_crossentropy")


Search(3)
