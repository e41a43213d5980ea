from setuptools import find_packages, setup

setup(name="ssd", packages=find_packages())
