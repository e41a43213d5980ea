# frames of a video in main

import cv2
import numpy as np
from tensorflow import keras


def main(path):
    detector = keras.models.load_model("detector.keras")
    capture = cv2.VideoCapture(path)
    while True:
        ok, frame = capture.read()
        if not ok:
            break
        batch = np.expand_dims(frame / 255.0, axis=0)
        print(detector.predict(batch).argmax())  #! MTF111


main("video.mp4")
