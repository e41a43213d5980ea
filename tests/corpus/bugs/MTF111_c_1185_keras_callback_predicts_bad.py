"""Predict in callbacks and in frames of a video."""
import cv2
import numpy as np
import tensorflow as tf


class Watch(tf.keras.callbacks.Callback):
    def __init__(self, x):
        super().__init__()
        self.x = x

    def on_train_batch_end(self, batch, logs=None):
        logs["probe"] = float(self.model.predict(self.x, verbose=0).mean())  #! MTF111


def video(path):
    net = tf.keras.models.load_model("pose.h5", compile=False)
    cap = cv2.VideoCapture(path)
    points = []
    while cap.isOpened():
        ok, frame = cap.read()
        if not ok:
            break
        blob = cv2.resize(frame, (192, 192))[np.newaxis].astype(np.float32) / 255
        points.append(net.predict(blob)[0])  #! MTF111
    return points


def main(model, ds, x):
    model.fit(ds, callbacks=[Watch(x)], epochs=3)
    return video("a.mp4")
