# a persistent tape that an object keeps holds what it has recorded for as long as the object lives

import tensorflow as tf


class Recorder:
    def __init__(self, model):
        self.model = model
        self.tape = tf.GradientTape(persistent=True)  #! MTF112 warning

    def start(self):
        self.tape.__enter__()
