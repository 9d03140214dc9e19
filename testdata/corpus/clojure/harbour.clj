(ns harbour.core
  "Ships and piers."
  (:require [clojure.string :as str]
            [clojure.set :refer [union]])
  (:import (java.time Instant)))

(set! *warn-on-reflection* true)

;; How deep it is.
(def depth 12)

(def ^:private secret "(def not-a-def 1)")

(def ^{:doc "Map as metadata." :dynamic true} *tide* nil)

(defonce state (atom {}))

(declare forward)

(defn low?
  "Tells low water.
  (defn not-a-function [])"
  [tide]
  (let [x \( y "("]
    (< tide depth)))

(defn- hidden [x] x)

(defn ^String named
  ([] (named "pier"))
  ([s] (str/upper-case s)))

(defmacro when-low
  [tide & body]
  `(when (low? ~tide) ~@body))

(defmulti dock :kind)

(defmethod dock :ship
  [{:keys [name]}]
  (println name))

(defmethod dock :default [_] nil)

(defprotocol Floats
  "What floats."
  (draught [this])
  (load-on [this cargo]))

(defrecord Ship [name tonnage]
  Floats
  (draught [_] (/ tonnage 10))
  (load-on [this cargo] (update this :tonnage + cargo)))

(deftype Pier [length]
  Object
  (toString [_] (str "pier " length)))

(definterface IBuoy
  (^int colour []))

(extend-type String
  Floats
  (draught [s] (count s)))

#_(defn discarded [] 1)

(comment
  (defn in-comment [x] x))

#?(:clj (defn only-clj [x] (Long/parseLong x))
   :cljs (defn only-cljs [x] (js/parseInt x)))

(let [secret 42]
  (defn closes-over [] secret))

(when true
  (def conditional 1))

(defn λ-ünïcode! [x] #"re(gex\)" x)

(s/def ::name string?)

(s/fdef low? :args (s/cat :tide int?))

(deftest low-water
  (testing "low"
    (is (low? 3))))

(defn with-meta-body
  {:added "1.0"}
  [x]
  (letfn [(inner [y] (* y 2))]
    (inner x)))

(defn -main [& args]
  (doseq [a args] (println a)))

(def handlers
  {:get (fn [req] req)
   :post #(str % "!")})

(defn forward [] (hidden 1))
