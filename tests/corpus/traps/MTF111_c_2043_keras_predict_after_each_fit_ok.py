# predict() over the whole fold, once for each fold; the session is cleared between the folds.
import numpy as np
import tensorflow as tf
from sklearn.model_selection import KFold

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
x, y = np.random.rand(500, 12).astype("float32"), np.random.rand(500).astype("float32")
held_out = np.zeros_like(y)
for train, test in KFold(5).split(x):
    tf.keras.backend.clear_session()
    model = tf.keras.Sequential([tf.keras.layers.Dense(32, "relu"), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x[train], y[train], epochs=5, verbose=0)
    held_out[test] = model.predict(x[test], batch_size=256, verbose=0)[:, 0]
print(np.corrcoef(held_out, y))
