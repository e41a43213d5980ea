# A list that a loop fills with images from files is a whole data set.

import glob

import cv2
import numpy as np
import tensorflow as tf

found = []
for path in glob.glob("train/*"):
    image = cv2.imread(path)
    image = cv2.resize(image, (64, 64))
    found.append(image / 255.0)
found = np.asarray(found, dtype=np.float32)
pictures = tf.data.Dataset.from_tensor_slices(found).batch(8)  #! MTF109 warning
