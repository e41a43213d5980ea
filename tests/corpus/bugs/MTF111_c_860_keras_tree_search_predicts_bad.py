import numpy as np
import tensorflow as tf
from tensorflow import keras


class MCTS:
    def __init__(self, net: keras.Model):
        self.net = net

    def search(self, board, sims):
        for _ in range(sims):
            node = self.select(board)
            p, v = self.net.predict(node.state[None], verbose=0)  #! MTF111
            node.expand(p[0], v[0])


def generate(model, seed, n):
    out = list(seed)
    for _ in range(n):
        x = np.array(out[-40:])[None]
        probs = model.predict(x, verbose=0)[0]  #! MTF111
        out.append(int(np.argmax(probs)))
    return out


m = keras.models.load_model("lm.keras")
generate(m, [1, 2], 400)
