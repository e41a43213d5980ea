# the first of two outputs of a decoder over embedded tokens

import tensorflow as tf


class Decoder(tf.keras.Model):
    def __init__(self, words, width):
        super().__init__()
        self.table = tf.keras.layers.Embedding(words, width)
        self.memory = tf.keras.layers.GRU(width, return_sequences=True, return_state=True)
        self.out = tf.keras.layers.Dense(words)

    def call(self, tokens, state=None):
        sequence, state = self.memory(self.table(tokens), initial_state=state)
        return self.out(sequence), state


decoder = Decoder(8000, 128)
corpus = tf.data.Dataset.from_tensor_slices(tf.ones((4000, 60), tf.int32)).batch(32)
everything = []
for tokens in corpus:
    logits, _ = decoder(tokens)
    everything.append(logits)  #! MTF112
print(len(everything))
