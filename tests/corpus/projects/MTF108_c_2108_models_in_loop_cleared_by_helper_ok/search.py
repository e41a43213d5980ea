import numpy as np
import tensorflow as tf
from nets import build, fresh

X, y = np.zeros((20, 3)), np.zeros(20)
for trial in range(50):
    tf.keras.backend.clear_session()
    model = build(trial)
    model.fit(X, y, epochs=2)
for trial in range(50):
    model = fresh(trial)
    model.fit(X, y, epochs=2)
