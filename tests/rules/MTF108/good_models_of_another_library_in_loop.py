# models of another library in a loop

import tensorflow as tf
from sklearn.ensemble import RandomForestRegressor

x = tf.zeros((10, 2)).numpy()
for depth in range(1, 20):
    model = RandomForestRegressor(max_depth=depth)
    model.fit(x, x[:, 0])
    print(model.predict(x))
