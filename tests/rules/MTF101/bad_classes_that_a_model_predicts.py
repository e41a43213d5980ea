# classes that a model predicts

import numpy as np
from keras.models import Sequential, load_model
from keras.layers import Dense


def classify(path, images):
    model = load_model("model.h5")
    return model.predict_classes(images, batch_size=10)  #! MTF101 error


net = Sequential([Dense(10, activation="softmax")])
net.compile("adam", "sparse_categorical_crossentropy")
net.fit(x, y)
print((net.predict_classes(x_test) == y_test).mean())  #! MTF101 error
print((np.argmax(net.predict(x_test), axis=-1) == y_test).mean())
