# classes that an object of another library, or one with a method of that name, predicts

import tensorflow as tf
from forest import Forest


class Classifier:
    def __init__(self, net):
        self.net = net

    def predict_classes(self, images):
        return tf.argmax(self.net(images, training=False), axis=-1)


classifier = Classifier(tf.keras.Sequential([tf.keras.layers.Dense(4)]))
print(classifier.predict_classes(tf.zeros((2, 3))))
