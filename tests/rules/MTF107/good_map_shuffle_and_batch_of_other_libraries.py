# map, shuffle and batch of other libraries

import multiprocessing

import pandas as pd
import tensorflow as tf
from datasets import load_dataset

frame = pd.DataFrame({"a": [1, 2]})
frame["b"] = frame["a"].map(lambda v: v + 1)
corpus = load_dataset("imdb")["train"].map(len).shuffle(seed=1)
with multiprocessing.Pool() as pool:
    sizes = pool.map(len, ["a", "bc"])
dataset = corpus.batch(4).shuffle(10)
print(tf.constant(sizes))
