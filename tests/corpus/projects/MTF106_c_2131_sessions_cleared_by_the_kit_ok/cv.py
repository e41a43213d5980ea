import numpy as np
import tensorflow as tf
from zoo import build, reset, train_custom

X, y = np.random.rand(100, 4).astype("float32"), np.random.rand(100)
models = []
for k in range(5):
    models.append(build())
for lr in (0.1, 0.01):
    m = build()
    m.fit(X, y)
for fold in range(10):
    reset()
    m = build()
    m.fit(tf.data.Dataset.from_tensor_slices((X, y)).batch(8), verbose=0)
    print(m.predict(X, batch_size=64).mean())
train_custom(build(), X)
