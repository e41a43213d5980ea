import tensorflow as tf
from src.data.reader import Reader

r = Reader("root")
train = tf.data.Dataset.from_tensor_slices(r.images()).batch(64).prefetch(1)  #! MTF109
m = tf.keras.Sequential([tf.keras.layers.Dense(1)])
m.compile("adam", "mse")
m.fit(train)
