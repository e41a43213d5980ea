# sessions and placeholders of other libraries

import requests
import tensorflow as tf
from sqlalchemy.orm import Session


class Draw:
    def placeholder(self, x):
        return x


session = requests.Session()
database = Session()
Draw().placeholder(tf.constant(1.0))
