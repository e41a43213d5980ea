from .cls import Classifier
