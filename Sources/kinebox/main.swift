print("kinebox")
