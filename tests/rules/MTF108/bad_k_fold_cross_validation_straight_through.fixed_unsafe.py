# k-fold cross-validation, straight through

import numpy as np
from sklearn.model_selection import KFold
from tensorflow import keras

x, y = np.random.rand(300, 12), np.random.rand(300)
scores = []
for train, test in KFold(n_splits=10).split(x):
    keras.backend.clear_session()
    model = keras.Sequential([keras.layers.Dense(32, activation="relu"), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x[train], y[train], epochs=5, verbose=0)
    scores.append(model.evaluate(x[test], y[test], verbose=0))
print(np.mean(scores))
